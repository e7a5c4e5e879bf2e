"""What changed rules mean: odds of benchmarks, and places in the balance."""
