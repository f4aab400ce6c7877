// m_eff and T_c of a chain by Pinocchio's C++ library, by the faster of two routes: crba, its sparse Cholesky factors, one row (best for
// short chains); or the articulated-body algorithm driven by the row (O(n), best for long ones). Prints `chain N m_eff T_c seconds`.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/multibody.hpp>

#include "chain.h"

int main() {
  using namespace pinocchio;
  const Eigen::Vector3d turn(CHAIN_ROTATION[0], CHAIN_ROTATION[1], CHAIN_ROTATION[2]);
  const Eigen::Matrix3d rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  Eigen::Matrix3d inertia;
  const double* J = CHAIN_INERTIA;
  inertia << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  const Eigen::Vector3d center(CHAIN_CENTER[0], CHAIN_CENTER[1], CHAIN_CENTER[2]);
  const Eigen::Vector3d normal(CHAIN_NORMAL[0], CHAIN_NORMAL[1], CHAIN_NORMAL[2]);
  for (int n : CHAIN_SIZES) {
    Model model;
    JointIndex last = 0;
    for (int k = 0; k < n; k++) {
      const SE3 place(rotation, Eigen::Vector3d(k > 0, 0, 0));
      last = model.addJoint(last, JointModelRZ(), place, "joint" + std::to_string(k));
      model.appendBodyToJoint(last, Inertia(CHAIN_MASS, center, inertia), SE3::Identity());
    }
    Data data(model);
    Eigen::VectorXd q(n), v(n), row(n), x(n);
    Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian(6, n);
    for (int k = 0; k < n; k++) {
      q[k] = chain_position(k);
      v[k] = chain_velocity(k);
    }
    double mass = 0, energy = 0;
    auto evaluate = [&]() {
      v[0] += 1e-9;
      crba(model, data, q, Convention::WORLD);  // leaves the joint Jacobians in data.J
      cholesky::decompose(model, data);
      const SE3& tip = data.oMi[last];
      const Eigen::Vector3d point = tip.translation() + tip.rotation().col(0);
      row.noalias() = data.J.topRows<3>().transpose() * normal;
      row.noalias() += data.J.bottomRows<3>().transpose() * point.cross(normal);
      x = row;
      cholesky::Uiv(model, data, x);  // U^-1 row
      const double mobility = (x.array().square() / data.D.array()).sum();
      const double rate = row.dot(v);
      mass = 1 / mobility;
      energy = 0.5 * mass * rate * rate;
      return mass + energy;
    };
    // Without gravity and velocity the acceleration that the row brings about is M^-1 row.
    model.gravity.setZero();
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(n);
    auto evaluate_by_bodies = [&]() {
      v[0] += 1e-9;
      computeJointJacobians(model, data, q);
      const SE3& tip = data.oMi[last];
      const Eigen::Vector3d point = tip.translation() + tip.rotation().col(0);
      row.noalias() = data.J.topRows<3>().transpose() * normal;
      row.noalias() += data.J.bottomRows<3>().transpose() * point.cross(normal);
      const double mobility = row.dot(aba(model, data, q, still, row, Convention::WORLD));
      const double rate = row.dot(v);
      mass = 1 / mobility;
      energy = 0.5 * mass * rate * rate;
      return mass + energy;
    };
    v[0] -= 1e-9;
    evaluate();
    const double first_mass = mass, first_energy = energy;
    v[0] -= 1e-9;
    evaluate_by_bodies();
    if (!(std::abs(mass / first_mass - 1) < 1e-9 && std::abs(energy / first_energy - 1) < 1e-9)) {
      fprintf(stderr, "error: the two routes of Pinocchio differ at n = %d: %.17g, %.17g\n", n, first_mass, mass);
      return 1;
    }
    double by_factors, by_bodies;
    BEST_TIME(by_factors, evaluate());
    BEST_TIME(by_bodies, evaluate_by_bodies());
    const double best = std::min(by_factors, by_bodies);
    printf("chain %d %.17g %.17g %.9g\n", n, first_mass, first_energy, best);
  }
}
