"""`python -m showable`."""

from showable.cli import main

if __name__ == "__main__":
    main()
