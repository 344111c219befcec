-- What is paid.
CREATE TABLE IF NOT EXISTS shop.payments (
    id BIGINT PRIMARY KEY,
    note TEXT DEFAULT 'CREATE TABLE fake;'
);

CREATE VIEW open_payments AS
SELECT * FROM shop.payments WHERE paid IS NULL;

/* Sums up. */
CREATE OR REPLACE FUNCTION total(owner BIGINT) RETURNS BIGINT AS $$
BEGIN
  RETURN (SELECT sum(amount) FROM shop.payments);
END;
$$ LANGUAGE plpgsql;

CREATE INDEX payments_id ON shop.payments (id);
