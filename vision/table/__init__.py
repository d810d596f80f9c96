"""What lies where: the printed mat, and from pixels to zones of the table."""
