"""`python -m reportgen` is the `reportgen` command."""

from reportgen.cli import main

if __name__ == "__main__":
    main()
