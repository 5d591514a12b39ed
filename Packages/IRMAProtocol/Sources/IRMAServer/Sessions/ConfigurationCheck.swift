import CredentialServing
import CredentialTransport
import CryptoCore
import IRMAMessages

/// Refuses settings that cannot work, and those that production mode does not take.
struct ConfigurationCheck {
    let material: ServerMaterial
    let requestors: RequestorRegistry
    let options: SessionServerOptions
    let services: SessionServices

    /// The URL with a slash at its end, and its host with its port if it has one.
    func checkedURL(_ url: String) throws(IRMAServerError) -> (url: String, host: String) {
        let text = url.hasSuffix("/") ? url : url + "/"
        do {
            let parsed = try HTTPURL(text)
            guard parsed.query == nil, !text.contains("#") else {
                throw IRMAServerError(.invalidConfiguration, "the URL has no query and no fragment", path: ["url"])
            }
            guard parsed.scheme == .https || options.mode == .development || options.allowsPlainHTTP else {
                throw IRMAServerError(.unsafeConfiguration, "the URL is not https", path: ["url"])
            }
            let authority = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
            return (text, authority.count > 1 ? String(authority[1]) : "")
        } catch let error as IRMAServerError {
            throw error
        } catch {
            throw IRMAServerError(.invalidConfiguration, "no URL of http or https", path: ["url"], cause: error)
        }
    }

    /// Checks everything but the URL and the static sessions.
    func checkAll() throws(IRMAServerError) {
        try checkTimes()
        try checkRequestors()
        try check(requestors.permissions, path: ["permissions"])
        for requestor in requestors.requestors ?? [] {
            try check(requestor.permissions, path: ["requestors", requestor.name])
        }
    }

    private func checkTimes() throws(IRMAServerError) {
        for (name, time) in [
            ("maximumSessionLifetime", options.maximumSessionLifetime), ("resultLifetime", options.resultLifetime),
            ("requestDeadline", options.requestDeadline), ("schemeUpdateInterval", options.schemeUpdateInterval),
        ] where time <= .zero {
            throw IRMAServerError(.invalidConfiguration, "the time is not positive", path: [name])
        }
        guard options.minimumVersion >= .v2_4, options.minimumVersion <= .v2_8 else {
            throw IRMAServerError(.invalidConfiguration, "not a version from 2.4 to 2.8", path: ["minimumVersion"])
        }
    }

    private func checkRequestors() throws(IRMAServerError) {
        guard let list = requestors.requestors else { return try checkUnauthenticated() }
        var names: Set<ExactText> = []
        for (position, requestor) in list.enumerated() {
            guard !requestor.name.isEmpty, names.insert(ExactText(requestor.name)).inserted else {
                throw IRMAServerError(.invalidConfiguration, "an empty or repeated name", path: ["requestors"])
            }
            switch requestor.authentication {
            case .token(let token):
                let isRepeated = list[..<position].contains {
                    if case .token(let other) = $0.authentication { other == token } else { false }
                }
                guard !token.isEmpty, !isRepeated else {
                    throw IRMAServerError(
                        .invalidConfiguration,
                        "an empty token, or that of another requestor",
                        path: ["requestors", requestor.name]
                    )
                }
            case .hmac(let key, let allowsShortKey):
                guard !key.isEmpty, allowsShortKey || key.count >= 32 else {
                    throw IRMAServerError(
                        .invalidConfiguration,
                        "an HMAC key of \(key.count) bytes, where 32 are demanded",
                        path: ["requestors", requestor.name]
                    )
                }
            case .publicKey: break
            }
        }
    }

    /// Without authentication, only keys of demo schemes may issue.
    private func checkUnauthenticated() throws(IRMAServerError) {
        guard options.mode == .production, !options.hasSeparateRequestorListener else { return }
        guard !requestors.permissions.issue.isEmpty else { return }
        for issuer in material.issuerKeys.issuers
        where material.schemes.schemes[issuer.scheme]?.description.isDemo != true {
            throw IRMAServerError(
                .unsafeConfiguration,
                "anyone who reaches the server could issue credentials of \(issuer)",
                path: ["permissions", "issue"]
            )
        }
    }

    private func check(_ permissions: RequestorPermissions, path: [String]) throws(IRMAServerError) {
        let lists = [
            ("disclose", permissions.disclose, 4), ("sign", permissions.sign, 4), ("issue", permissions.issue, 3),
            ("revoke", permissions.revoke, 3),
        ]
        for (name, patterns, length) in lists {
            for pattern in patterns {
                guard let fault = fault(of: pattern, length: length, needsKey: length == 3) else { continue }
                throw IRMAServerError(.invalidConfiguration, fault, path: path + [name, pattern])
            }
        }
    }

    /// The reason that a pattern is invalid, or `nil` if it is valid.
    private func fault(of pattern: String, length: Int, needsKey: Bool) -> String? {
        let parts = pattern.split(separator: ".", omittingEmptySubsequences: false)
        let isPrefix = parts.last == "*"
        let names = isPrefix ? parts.dropLast() : parts[...]
        guard !names.contains(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "*")) }) else {
            return "an asterisk stands alone at the end"
        }
        guard isPrefix ? names.count < length : names.count == length else {
            return isPrefix ? "at most \(length) parts" : "\(length) parts are demanded"
        }
        if let scheme = names.first.map({ SchemeIdentifier(String($0)) }), material.schemes.schemes[scheme] == nil {
            return material.unreadSchemes.contains(scheme) ? nil : "unknown scheme"
        }
        let issuer = IssuerIdentifier(names.prefix(2).joined(separator: "."))
        if names.count > 1, material.schemes.issuer(issuer) == nil { return "unknown issuer" }
        guard names.count > 2 else { return nil }
        let id = CredentialTypeIdentifier(names.prefix(3).joined(separator: "."))
        guard let type = material.schemes.credentialType(id) else { return "unknown credential type" }
        if needsKey, requestors.requiresPrivateKeys, material.issuerKeys.newest(of: issuer) == nil {
            return "the private key of the issuer is not installed"
        }
        if names.count > 3, type.baseIndex(of: String(names[3])) == nil { return "unknown attribute" }
        return nil
    }

    /// Checks the sessions that wallets can start: they show or sign, and their results go somewhere.
    func check(_ sessions: [String: RequestorMessage]) throws(IRMAServerError) {
        for (name, message) in sessions {
            let path = ["staticSessions", name]
            func refusal(_ text: String) -> IRMAServerError { IRMAServerError(.invalidConfiguration, text, path: path) }
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWordByte) else {
                throw refusal("a name has letters, digits and underscores")
            }
            guard message.kind == .disclosing || message.kind == .signing else {
                throw refusal("a static session shows attributes or signs")
            }
            guard message.options?.callbackURL?.isEmpty == false || message.options?.nextSessionURL?.isEmpty == false
            else { throw refusal("a static session has a callback URL or a next session") }
            guard services.resultSigner != nil || options.allowsUnsignedCallbacks else {
                throw refusal("a static session needs a key that signs results")
            }
            guard services.transport != nil else { throw refusal("a static session needs a transport for results") }
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
    }
}
