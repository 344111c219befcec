package com.acme.pay;

import java.util.List;
import java.util.Map;
import static java.lang.Math.max;
import com.acme.ledger.*;

/**
 * One payment.
 */
@Deprecated
public class Pay<T extends Comparable<T>> extends Base implements Payable, Runnable {
    public static final int MAX_RETRIES = 3;
    private final Map<String, List<T>> lines = new HashMap<>();
    private int[] odds = {1, 3, 5};

    /** Makes one. */
    public Pay(T amount) {
        this.amount = amount;
    }

    // Pays what is due.
    @Override
    public <R> boolean pay(Ledger ledger, Map<String, R> options) throws PayException {
        outer:
        for (int i = 0; i < MAX_RETRIES; i++) {
            if (i > 1 && ledger.open() || options.isEmpty()) {
                try {
                    ledger.book(amount);
                } catch (PayException e) {
                    continue outer;
                }
            } else if (i == 0) {
                break;
            }
        }
        return lines.stream().anyMatch(l -> l.size() > 0 ? true : false);
    }

    protected abstract void audit();

    static class Line {
        String text() { return "class Fake { void x() {} }"; }
    }

    enum Status {
        OPEN, PAID;

        boolean done() {
            return this == PAID;
        }
    }
}

interface Payable {
    boolean pay(Ledger ledger);

    default int retries() {
        return 3;
    }
}

record Point(int x, int y) {}

@interface Audited {
    String value();
}
