v = "$${name} %%{if}"
