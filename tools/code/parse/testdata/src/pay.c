/* Payments. */
#include <stdio.h>
#include "ledger.h"

#define MAX_RETRIES 3
#define SQUARE(x) ((x) * \
                   (x))

struct ledger;

typedef struct {
    int amount;
} payment_t;

struct line {
    char *text;
};

enum status { OPEN, PAID };

typedef int (*callback)(int);

static int odds[] = {1, 3, 5};

int pay(payment_t *p, struct ledger *l);

/* Pays what is due. */
int pay(payment_t *p, struct ledger *l)
{
    for (int i = 0; i < MAX_RETRIES; i++) {
        if (p->amount > 0 && l != NULL) {
            book(l, p->amount);
        } else {
            printf("int fake() {\n");
        }
    }
    return 0;
}

static struct line *make_line(const char *text) {
    return text ? NULL : NULL;
}
