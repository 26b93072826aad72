// Tails of the distributions behind p-values.
#pragma once

namespace equipoise {

/// P(Z ≥ z) and P(|Z| ≥ |z|) for a standard normal Z.
double normal_upper(double z);
double normal_two_sided(double z);

/// P(|T| ≥ |t|) for Student's T with that many degrees of freedom (> 0).
double student_two_sided(double t, double degrees);

/// The t with P(T ≥ t) = upper, for upper in (0, 1).
double student_point(double upper, double degrees);

/// P(χ² ≥ x) with that many degrees of freedom (> 0).
double chi_square_upper(double x, double degrees);

}  // namespace equipoise
