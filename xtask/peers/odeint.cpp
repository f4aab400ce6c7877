// The impact of the double pendulum of Gonzalez et al. with the equations written out, by Boost odeint's dopri5 with dense output.
// Prints `impact TOLERANCE peak_force duration separation_speed seconds`.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "chain.h"

namespace {
using State = std::array<double, 4>;
constexpr double m1 = 5, m2 = 2, L1 = 0.5, L2 = 0.25, height = 0.6, K = 1e9, b = 0.75;
double onset_speed = 1;

double depth(const State& x) { return L1 * std::cos(x[0]) + L2 * std::cos(x[1]) - height; }
double rate(const State& x) { return -L1 * std::sin(x[0]) * x[2] - L2 * std::sin(x[1]) * x[3]; }
double force(const State& x) {
  const double delta = depth(x);
  return delta > 0 ? K * delta * std::sqrt(delta) * (1 + b * rate(x) / onset_speed) : 0;
}

// Absolute angles from the vertical; point masses at the ends of the links; nothing but the contact acts.
void motion(const State& x, State& out, double) {
  const double s1 = std::sin(x[0]), c1 = std::cos(x[0]), s2 = std::sin(x[1]), c2 = std::cos(x[1]);
  const double c = c1 * c2 + s1 * s2, s = s1 * c2 - c1 * s2, k = m2 * L1 * L2;
  const double delta = L1 * c1 + L2 * c2 - height;
  double F = 0;
  if (delta > 0) F = K * delta * std::sqrt(delta) * (1 - b * (L1 * s1 * x[2] + L2 * s2 * x[3]) / onset_speed);
  const double Q1 = F * L1 * s1 - k * s * x[3] * x[3], Q2 = F * L2 * s2 + k * s * x[2] * x[2];
  const double M11 = (m1 + m2) * L1 * L1, M12 = k * c, M22 = m2 * L2 * L2, D = 1 / (M11 * M22 - M12 * M12);
  out = {x[2], x[3], D * (M22 * Q1 - M12 * Q2), D * (M11 * Q2 - M12 * Q1)};
}

// Tip at (0.1, -0.6) with velocity (1, -1), elbow angle negative.
State onset() {
  const double x = 0.1, y = 0.6, r2 = x * x + y * y;
  const double inner = std::acos((r2 + L1 * L1 - L2 * L2) / (2 * L1 * std::sqrt(r2)));
  const double a = std::atan2(x, y) + inner;
  const double c = std::atan2(x - L1 * std::sin(a), y - L1 * std::cos(a));
  const double A = L1 * std::cos(a), B = L2 * std::cos(c), C = L1 * std::sin(a), E = L2 * std::sin(c);
  const double D = A * E - B * C;
  return {a, c, (E * 1 - B * -1) / D, (A * -1 - C * 1) / D};
}

struct Impact {
  double peak, duration, speed;
};

template <class Value>
double root(double low, double high, Value value) {
  const bool sign = value(low) > 0;
  for (int i = 0; i < 60 && high - low > 1e-18; i++) {
    const double middle = 0.5 * (low + high);
    (value(middle) > 0) == sign ? low = middle : high = middle;
  }
  return 0.5 * (low + high);
}

Impact impact(double tolerance) {
  using namespace boost::numeric::odeint;
  State x = onset();
  onset_speed = rate(x);
  auto stepper = make_dense_output(tolerance, tolerance, runge_kutta_dopri5<State>());
  stepper.initialize(x, 0.0, 1e-6);
  Impact out{0, 0, 0};
  double before = onset_speed;
  State y;
  auto at = [&](double t) -> const State& {
    stepper.calc_state(t, y);
    return y;
  };
  // dF/dt by its own formula: F has its peak where it is zero.
  auto push_rate = [&](double t) {
    const State& z = at(t);
    State dz;
    motion(z, dz, t);
    const double d = depth(z), v = rate(z);
    const double a = -L1 * (std::cos(z[0]) * z[2] * z[2] + std::sin(z[0]) * dz[2]) -
                     L2 * (std::cos(z[1]) * z[3] * z[3] + std::sin(z[1]) * dz[3]);
    return 1.5 * v * (1 + b * v / onset_speed) + d * b * a / onset_speed;
  };
  bool rising = true;
  while (true) {
    const auto span = stepper.do_step(motion);
    const State& end = stepper.current_state();
    if (rising && push_rate(span.second) < 0) {
      rising = false;
      out.peak = force(at(root(span.first, span.second, push_rate)));
    }
    const double now = rate(end);
    if (depth(end) <= 0 && now < 0) {
      out.duration = root(span.first, span.second, [&](double t) { return depth(at(t)); });
      out.speed = -rate(at(out.duration));
      return out;
    }
    before = now;
  }
  (void)before;
}
}  // namespace

int main() {
  for (double tolerance : {1e-9, 1e-12}) {
    const Impact first = impact(tolerance);
    double best;
    BEST_TIME(best, impact(tolerance).peak);
    printf("impact %g %.17g %.17g %.17g %.9g\n", tolerance, first.peak, first.duration, first.speed, best);
  }
}
