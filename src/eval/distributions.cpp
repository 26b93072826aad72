// The tails by Boost.Math, which no other file includes.
#include "eval/distributions.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace equipoise {

namespace {

namespace rules = boost::math::policies;
/// NaN in, NaN out; nothing is thrown, and doubles stay doubles.
using Quiet = rules::policy<rules::domain_error<rules::ignore_error>, rules::pole_error<rules::ignore_error>,
                            rules::overflow_error<rules::ignore_error>, rules::evaluation_error<rules::ignore_error>,
                            rules::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, Quiet>;
using Student = boost::math::students_t_distribution<double, Quiet>;
using ChiSquared = boost::math::chi_squared_distribution<double, Quiet>;

}  // namespace

double normal_upper(double z) { return cdf(complement(Normal(), z)); }
double normal_two_sided(double z) { return 2 * normal_upper(std::abs(z)); }

double student_two_sided(double t, double degrees) { return 2 * cdf(complement(Student(degrees), std::abs(t))); }

double student_point(double upper, double degrees) { return quantile(complement(Student(degrees), upper)); }

double chi_square_upper(double x, double degrees) { return cdf(complement(ChiSquared(degrees), std::max(0.0, x))); }

}  // namespace equipoise
