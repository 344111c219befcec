using System;
using System.Collections.Generic;
using Money = Acme.Money.Amount;

namespace Acme.Pay
{
    /// <summary>One payment.</summary>
    [Serializable]
    public sealed class Payment : IPayable
    {
        public int Amount { get; set; } = 3;
        private readonly string note = @"class Fake { ""x"" }";

        public Payment(int amount) => Amount = amount;

        [Obsolete("x")]
        public async Task<bool> Pay(Ledger ledger, int retries = 3)
        {
            foreach (var l in ledger.Lines)
            {
                if (l.Open && retries > 0) { await l.Book(); }
            }
            return true;
        }
    }

    internal interface IPayable
    {
        bool Pay(Ledger ledger, int retries);
    }

    public enum Status { Open, Paid }
}
