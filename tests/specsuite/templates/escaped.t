result_type = string
result = "$${name} %%{if}"
