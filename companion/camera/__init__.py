"""The cameras at the table: reading dice, following cards, and the cards and dice that players have taught."""
