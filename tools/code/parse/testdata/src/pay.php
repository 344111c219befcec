<?php
namespace Acme\Pay;

use Acme\Ledger\Ledger;
use Acme\Money as M;
require_once 'config.php';

const MAX_RETRIES = 3;

/** What can be paid. */
interface Payable
{
    public function pay(Ledger $ledger): bool;
}

final class Payment extends Base implements Payable
{
    use Loggable;

    private int $amount = 0;

    public function __construct(private array $lines = []) {}

    public function pay(Ledger $ledger): bool
    {
        foreach ($this->lines as $line) {
            if ($line->open && $this->amount > 0) {
                $ledger->book($line);
            } elseif ($line->late) {
                return false;
            }
        }
        return true;
    }
}

function total(array $all): int
{
    return array_sum($all); // "function fake() {"
}
