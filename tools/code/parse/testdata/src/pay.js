// The shop's payments.
import fs, { readFile as read } from 'fs';
import * as path from "node:path";
import './polyfill.js';
const { Ledger } = require('./ledger');
export { total } from './total.js';

const MAX_RETRIES = 3;
let cache = { hits: 0, miss() { return 1; } };

/**
 * One payment.
 */
export class Payment extends Base {
  #secret = 1;
  static kind = 'card';

  constructor(amount, { currency = 'USD' } = {}) {
    super();
    this.amount = amount;
  }

  // What is due.
  get total() { return this.amount; }

  async pay(ledger, retries = MAX_RETRIES) {
    for (let i = 0; i < retries; i++) {
      if (i > 1 && this.amount > 0 || this.force) {
        try {
          await ledger.book({ amount: this.amount, note: `pays ${this.amount > 0 ? `yes ${i}` : 'no'} {` });
        } catch (e) {
          continue;
        }
      } else if (i === 0) {
        break;
      } else {
        log(/function\s*\{/.test("class X {"));
      }
    }
    return this.done ?? false;
  }

  onClick = (event) => {
    this.pay(event);
  };
}

function total(payments) {
  function add(a, b) {
    return a + b;
  }
  return payments.map(p => p.total).reduce(add, 0);
}

export const rounded = async (amount, digits = 2) => {
  return amount.toFixed(digits);
};

export default function (app) {
  app.get('/pay', (req, res) => res.send(total(req.body)));
}

exports.format = function (x) { return String(x); };

Payment.prototype.cancel = function () {
  return this.pay();
};
