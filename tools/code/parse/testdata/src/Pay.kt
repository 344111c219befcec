package com.acme.pay

import com.acme.ledger.Ledger
import com.acme.money.Amount as Money

const val MAX_RETRIES = 3

/** One payment. */
data class Payment(val amount: Money, val note: String = "") : Payable {
    override fun pay(ledger: Ledger): Boolean {
        for (i in 0 until MAX_RETRIES) {
            when (i) {
                0 -> ledger.open()
                1, 2 -> if (amount > 0 && note.isEmpty()) return true
                else -> break
            }
        }
        return false
    }

    companion object {
        fun of(x: Int) = Payment(Money(x))
    }
}

interface Payable {
    fun pay(ledger: Ledger): Boolean
}

enum class Status { OPEN, PAID }

object Registry {
    private fun secret() = 1
}

fun String.toMoney(): Money = Money(this.toInt())

fun total(all: List<Payment>) =
    all.sumOf { it.amount }
