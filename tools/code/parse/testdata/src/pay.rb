require 'json'
require_relative 'ledger'

module Acme
  MAX_RETRIES = 3

  # One payment.
  class Payment < Base
    attr_reader :amount

    def initialize(amount, currency: "USD")
      @amount = amount
    end

    # Is it paid?
    def paid?
      return true if amount.zero?
      unless open && amount > 1
        lines.each do |l|
          puts "def fake"
        end
      end
      false
    end

    def self.build(x) = new(x)

    private

    def secret
      1
    end
  end
end

def total(all)
  all.sum
end
