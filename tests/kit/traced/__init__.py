"""Dice as light sees them: path-traced with Blender (the package bpy), drilled, clear, glittering, marbled or metal."""
