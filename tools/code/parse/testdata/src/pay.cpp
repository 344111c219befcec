#include <vector>
#include "pay.hpp"

namespace acme::pay {

template <typename T, class U = int>
class Payment : public Base<T> {
public:
    explicit Payment(T amount) : amount_(amount), lines_{} {}
    virtual ~Payment() = default;
    T amount() const noexcept { return amount_; }
    bool operator==(const Payment& other) const { return amount_ == other.amount_; }

private:
    T amount_;
    std::vector<T> lines_;
};

enum class Status : int { Open, Paid };

using Money = long long;

// Pays what is due.
template <typename T>
bool Ledger<T>::book(const Payment<T>& p) {
    for (auto& l : lines_) {
        if (l == p) return true;
    }
    return false;
}

int Account::balance() const {
    return R"x(class Fake {)x"[0];
}

}  // namespace acme::pay

extern "C" {
int exported(int x) { return x; }
}
