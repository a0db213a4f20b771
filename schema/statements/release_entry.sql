RELEASE entry
