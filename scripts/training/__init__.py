"""What the training commands share: pictures, cut-out dice, made-up backgrounds and the two networks' data."""
