/// The rules about a scheme's content.
struct SchemeRules {
    let scheme: IRMAScheme
    let limits: SchemeLimits

    /// - Throws: ``IRMAError/Code/invalidScheme`` for the first rule that the scheme breaks.
    func check() throws(IRMAError) {
        guard scheme.keyshareScheme == nil || scheme.keyshareKeys[0] != nil else {
            throw IRMAError(
                .invalidScheme,
                "a scheme with a keyshare server has its key kss-0.pem",
                path: [scheme.id.text]
            )
        }
        for issuer in scheme.issuersWithKeys where scheme.issuers[issuer] == nil {
            throw IRMAError(.invalidScheme, "keys without a description of their issuer", path: [issuer.text])
        }
        for (id, issuer) in scheme.issuers {
            guard id.scheme == scheme.id else {
                throw IRMAError(.invalidScheme, "an issuer of another scheme", path: [id.text])
            }
            try requireDemoName(issuer.name, issuer.languages, id.text)
        }
        for type in scheme.credentialTypes.values.sorted(by: { $0.id < $1.id }) {
            do throws(IRMAError) { try check(type) } catch { throw error.inside(type.id.text) }
        }
        try checkDependencies()
    }

    private func check(_ type: CredentialTypeDescription) throws(IRMAError) {
        guard scheme.issuers[type.id.issuer] != nil else {
            throw IRMAError(.invalidScheme, "the issuer is unknown")
        }
        try requireDemoName(type.name, type.languages, "Name")
        guard type.attributes.contains(where: { !$0.isRevocation }) else {
            throw IRMAError(.invalidScheme, "there is no attribute", path: ["Attributes"])
        }
        var names: Set<ExactText> = []
        for attribute in type.attributes where !attribute.isRevocation {
            guard !attribute.name.isEmpty, !attribute.name.utf8.contains(UInt8(ascii: ".")),
                names.insert(ExactText(attribute.name)).inserted
            else { throw IRMAError(.invalidScheme, "an attribute's name is empty, used twice or has a period") }
        }
        try checkRevocation(of: type)
        _ = try type.proofType(keyshareServer: scheme.keyshareScheme)
    }

    private func checkRevocation(of type: CredentialTypeDescription) throws(IRMAError) {
        let count = type.attributes.count { $0.isRevocation }
        guard count == (type.revocationServers.isEmpty ? 0 : 1) else {
            throw IRMAError(.invalidScheme, "a revocation attribute goes with revocation servers, and they with it")
        }
        for server in type.revocationServers {
            guard !server.hasSuffix("/"), scheme.description.isDemo || server.hasPrefix("https://") else {
                throw IRMAError(
                    .invalidScheme,
                    "the URL of a revocation server has https and no slash at its end",
                    path: ["RevocationServers"]
                )
            }
        }
    }

    /// Refuses a name that hides, or is missing, in one of the languages: each says that it comes from a demo scheme.
    private func requireDemoName(
        _ name: TranslatedText,
        _ languages: [String],
        _ place: String
    ) throws(IRMAError) {
        guard scheme.description.isDemo else { return }
        guard languages.allSatisfy({ name[$0]?.hasPrefix("Demo ") == true }) else {
            throw IRMAError(.invalidScheme, "a name in a demo scheme begins with \"Demo \"", path: [place])
        }
    }

    /// Refuses dependencies on other schemes, in a circle, or too deep.
    ///
    /// A type can be had when one alternative of each of its dependencies can; a circle in another alternative does no harm.
    /// The depth of each type is found once, layer by layer: no input makes this recursive or slow.
    private func checkDependencies() throws(IRMAError) {
        for type in scheme.credentialTypes.values {
            for dependency in type.dependencies.joined().joined() where scheme.credentialTypes[dependency] == nil {
                throw IRMAError(
                    .invalidScheme,
                    "a dependency on \(dependency), which the scheme does not have",
                    path: [type.id.text]
                )
            }
        }
        var waiting = scheme.credentialTypes
        var ready: Set<CredentialTypeIdentifier> = []
        for _ in 0...max(0, limits.dependencyDepth) {
            let next = waiting.values.filter { type in
                type.dependencies.allSatisfy { $0.contains { $0.allSatisfy(ready.contains) } }
            }
            for type in next { waiting[type.id] = nil }
            guard !waiting.isEmpty else { return }
            guard !next.isEmpty else { break }
            ready.formUnion(next.map(\.id))
        }
        let first = waiting.keys.min()
        throw IRMAError(
            .invalidScheme,
            "dependencies in a circle, or deeper than \(limits.dependencyDepth)",
            path: first.map { [$0.text] } ?? []
        )
    }
}
