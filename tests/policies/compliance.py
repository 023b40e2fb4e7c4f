"""Runs terraform-compliance on several plans: compliance.py FEATURES DIRECTORY...

Each directory has a `plan.json`, and gets what the program prints as `printed.txt`. Starting the program takes longer than
a run, so it starts once, and each run is a copy of the process behind its command line.
"""

import os
import sys

import IPython  # Each run would import it again.
import radish.main
import terraform_compliance.main as program

_, features, *directories = sys.argv
read_command_line = radish.main.docopt


def in_each_directory(*arguments, **options):
    command_line = read_command_line(*arguments, **options)
    for directory in directories:
        child = os.fork()
        if child == 0:
            os.chdir(directory)
            program.Defaults.cache_dir = directory
            os.dup2(os.open("printed.txt", os.O_CREAT | os.O_WRONLY), sys.stdout.fileno())
            values = command_line["--user-data"]
            command_line["--user-data"] = [value.replace(directories[0], directory) for value in values]
            return command_line
        os.waitpid(child, 0)
    os._exit(0)


radish.main.docopt = in_each_directory
program.cleanup = lambda: None
os.chdir(directories[0])
sys.argv = ["terraform-compliance", "-p", "plan.json", "-f", features]
program.cli()
