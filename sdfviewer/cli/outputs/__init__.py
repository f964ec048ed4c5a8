"""How the commands write what they found: text, JSON, CSV, SARIF, JUnit."""
