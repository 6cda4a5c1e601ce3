"""A pipeline that shows retrieved passages to a chat model. Its prompts are the files in `prompts/`."""
