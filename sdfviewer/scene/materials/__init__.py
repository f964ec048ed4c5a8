"""Materials: colours, textures and the scripts of OGRE that name them."""
