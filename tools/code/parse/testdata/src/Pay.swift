import Foundation

let maxRetries = 3

/// What can be paid.
protocol Payable {
    func pay(ledger: Ledger) -> Bool
}

public final class Payment: Payable {
    private let amount: Int

    init(amount: Int) {
        self.amount = amount
    }

    public func pay(ledger: Ledger) -> Bool {
        guard amount > 0 else { return false }
        for line in ledger.lines {
            if line.open && amount > 1 {
                ledger.book(line)
            }
        }
        return true
    }
}

extension Payment {
    func cancel() {}
}

struct Point { var x: Int }

func total(_ all: [Payment]) -> Int {
    return all.count
}
