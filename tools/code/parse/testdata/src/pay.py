"""Payments of the shop."""
import os
import json as js
from .ledger import Ledger, Entry as Line
from acme.money import (
    Amount,
    round_half_even as rounded,
)
from acme.rates import *

MAX_RETRIES: int = 3
default_currency = "USD"


class PaymentError(Exception):
    """A payment that failed."""


@dataclass
class Payment(Base, metaclass=Meta):
    """One payment.

    It is made of lines.
    """

    amount: Amount
    retries = 0

    def __init__(self, amount, *, currency="USD", **options):
        self.amount = amount
        self.currency = currency

    @property
    def total(self) -> Amount:
        return self.amount

    # Pays what is due.
    async def pay(self, ledger: Ledger, retries: int = MAX_RETRIES) -> bool:
        for attempt in range(retries):
            if attempt > 1 and self.amount > 0 or self.force:
                try:
                    await ledger.book(Line(self.amount))
                except PaymentError:
                    continue
                else:
                    return True
            elif attempt == 0:
                pass
        return False

    def _secret(self):
        def inner(x):
            return x if x else None
        return [inner(n) for n in range(3) if n]


def total(payments):
    # Sums up "def fake():" without regard to currency.
    text = """
def not_a_function():
    pass
"""
    return sum(
        p.total
        for p in payments
    )


async def main():
    while True:
        await total([])


if __name__ == "__main__":
    main()
