"""`python -m probative`."""

from probative.cli import main

if __name__ == "__main__":
    main()
