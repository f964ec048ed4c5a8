"""All actions of the window: each is declared beside the function it runs, in the module of its menu."""
