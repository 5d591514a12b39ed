/// The rules about the content of a scheme of requestors.
struct RequestorSchemeRules {
    let id: SchemeIdentifier
    let isDemo: Bool
    let requestors: [RequestorDescription]

    /// - Throws: ``IRMAError/Code/invalidScheme`` for the first rule that the scheme breaks.
    func check() throws(IRMAError) {
        var (hostNames, wizards): (Set<ExactText>, Set<ExactText>) = ([], [])
        for requestor in requestors {
            do throws(IRMAError) {
                guard requestor.scheme == id, Self.parent(of: requestor.id).utf8.elementsEqual(id.text.utf8) else {
                    throw IRMAError(.invalidScheme, "a requestor of another scheme")
                }
                guard !isDemo || requestor.hostNames.isEmpty else {
                    throw IRMAError(.invalidScheme, "a host name in a demo scheme", path: ["hostnames"])
                }
                for name in requestor.hostNames where !hostNames.insert(ExactText(name.foldedASCII)).inserted {
                    throw IRMAError(.invalidScheme, "the host name occurs twice", path: ["hostnames", name])
                }
                for (name, wizard) in requestor.wizards {
                    let isOwn = try MessageMembers(wizard).text("id")?.hasSameBytes(as: name.text) == true
                    guard isOwn, Self.parent(of: name.text).utf8.elementsEqual(requestor.id.utf8) else {
                        throw IRMAError(.invalidScheme, "a wizard of another requestor", path: ["wizards", name.text])
                    }
                    guard wizards.insert(name).inserted else {
                        throw IRMAError(.invalidScheme, "the wizard occurs twice", path: ["wizards", name.text])
                    }
                }
            } catch {
                throw error.inside(requestor.id).inside(id.text)
            }
        }
    }

    /// The name without its last part; a name of one part is its own, as in the reference.
    private static func parent(of name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
    }
}

extension RequestorScheme {
    /// Refuses a scheme with a host name that another has: the name would stand for two requestors.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme``.
    func requireOtherHostNames(than others: [RequestorScheme]) throws(IRMAError) {
        let taken = Set(others.flatMap(\.requestors).flatMap(\.hostNames).map { ExactText($0.foldedASCII) })
        for requestor in requestors {
            for name in requestor.hostNames where taken.contains(ExactText(name.foldedASCII)) {
                throw IRMAError(
                    .invalidScheme,
                    "another scheme has the host name",
                    path: [id.text, requestor.id, "hostnames", name]
                )
            }
        }
    }
}
