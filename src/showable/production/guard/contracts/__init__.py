"""Other gateways' guardrail contracts: each a pure reading of a request's body and a writing of the decision."""
