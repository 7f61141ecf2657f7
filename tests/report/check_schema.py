#!/usr/bin/env python3
"""check_schema.py SCHEMA FILE...: whether each file is what the schema says; a .jsonl file line by line.

Prints one line for each that is not: file (and line), where in it, what is wrong. Exit status 0 all valid, 1 some are not,
77 when the Python here has no module jsonschema that knows draft 2020-12.
"""

import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: this Python has no module jsonschema (Debian's package python3-jsonschema)")
    sys.exit(77)


def documents(path):
    """The JSON documents of a file, each with a name for messages."""
    with open(path, encoding="utf-8") as file:
        if not path.endswith(".jsonl"):
            yield path, json.load(file)
            return
        for number, line in enumerate(file, 1):
            yield f"{path}:{number}", json.loads(line)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    bad = 0
    for path in sys.argv[2:]:
        for name, document in documents(path):
            for error in validator.iter_errors(document):
                bad += 1
                where = "/".join(str(part) for part in error.absolute_path) or "the whole"
                print(f"{name}: {where}: {error.message[:300]}")
                break
    return 1 if bad else 0


sys.exit(main())
