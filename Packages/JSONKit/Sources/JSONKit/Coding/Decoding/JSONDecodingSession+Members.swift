extension JSONDecodingSession {
    func noteOpenedObject(at index: Int) {
        if decoder.unknownMembers == .refuse { openedObjects.insert(index) }
    }

    func noteAskedName(at index: Int) {
        if decoder.unknownMembers == .refuse { askedNames.insert(index) }
    }

    func noteFoldedName(at index: Int) {
        foldedName = foldedName ?? index
    }

    /// Throws if names were handed out that cannot be kept apart, or members were not asked for.
    func refuseLostMembers() throws(JSONError) {
        if let foldedName {
            let message = "the name cannot be kept apart from another one that is canonically equivalent"
            let offset = tape[foldedName].range.lowerBound
            throw JSONError(.duplicateName, message, offset: offset, path: view(at: foldedName + 1).path)
        }
        try refuseUnknownMembers()
    }

    /// Throws for a member of an opened object that was never decoded.
    private func refuseUnknownMembers() throws(JSONError) {
        for object in openedObjects.sorted() {
            var name = object + 1
            while name < Int(tape[object].next) {
                guard askedNames.contains(name) else {
                    throw JSONError(.unknownMember, "the member is not known here", at: view(at: name + 1))
                }
                name = Int(tape[name + 1].next)
            }
        }
    }
}
