import type { Ledger } from './ledger';
import { Amount, type Rate as R } from "@acme/money";
import pay = require('./pay');

export type Currency = 'USD' | 'EUR';

export enum Status { Open, Paid }

/** What can be paid. */
export interface Payable<T extends Amount = Amount> {
  amount: T;
  pay(ledger: Ledger, retries?: number): Promise<boolean>;
}

export abstract class Payment implements Payable<Amount> {
  private static readonly limit: number = 3;

  constructor(public amount: Amount, protected readonly currency: Currency = 'USD') {}

  abstract audit(): void;

  public async pay(ledger: Ledger, retries?: number): Promise<boolean> {
    switch (this.currency) {
      case 'USD':
        return ledger.book(this.amount);
      case 'EUR':
      default:
        return retries ? this.pay(ledger, retries - 1) : false;
    }
  }

  private secret(): { a: string } {
    return { a: 'x' };
  }
}

export const convert = <T,>(value: T, rate: R): number => Number(value) * rate.factor;

namespace Rates {
  export function latest(): R | undefined {
    return undefined;
  }
}

declare module 'acme' {
  export function outer(x: string): void;
}

@Component({ selector: 'app' })
class View {
  @Input() name?: string;
  @Output()
  changed(): void { this.name = ''; }
}
