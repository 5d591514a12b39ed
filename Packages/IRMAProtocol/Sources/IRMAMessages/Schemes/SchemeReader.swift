import CryptoCore

/// Reads the structures of a scheme from its files.
struct SchemeReader {
    let files: VerifiedSchemeFiles

    func description() throws(IRMAError) -> SchemeDescription {
        guard let bytes = files.files["description.xml"] else {
            throw IRMAError(.invalidScheme, "the file is missing", path: [files.scheme.text, "description.xml"])
        }
        let description = try within("description.xml") { () throws(IRMAError) in try SchemeDescription(xml: bytes) }
        guard description.id == files.scheme else {
            throw IRMAError(.invalidScheme, "the description of \(description.id)", path: [files.scheme.text])
        }
        return description
    }

    /// The issuers of a scheme.
    ///
    /// - Parameter languages: Those of the scheme.
    func issuers(_ languages: [String]) throws(IRMAError) -> [IssuerIdentifier: IssuerDescription] {
        var issuers: [IssuerIdentifier: IssuerDescription] = [:]
        for (path, bytes) in files.files {
            let parts = path.parts
            guard parts.count == 2, parts[1] == "description.xml" else { continue }
            var issuer = try within(path.text) { () throws(IRMAError) in try IssuerDescription(xml: bytes) }
            guard issuer.id == IssuerIdentifier("\(files.scheme.text).\(parts[0])") else {
                throw IRMAError(.invalidScheme, "the description of \(issuer.id)", path: [path.text])
            }
            if issuer.languages.isEmpty { issuer.languages = languages }
            issuers[issuer.id] = issuer
        }
        return issuers
    }

    /// The credential types of a scheme.
    ///
    /// - Parameter issuers: The issuers of the scheme.
    func credentialTypes(
        _ issuers: [IssuerIdentifier: IssuerDescription]
    ) throws(IRMAError) -> [CredentialTypeIdentifier: CredentialTypeDescription] {
        var types: [CredentialTypeIdentifier: CredentialTypeDescription] = [:]
        for (path, bytes) in files.files {
            let parts = path.parts
            guard parts.count == 4, parts[1] == "Issues", parts[3] == "description.xml" else { continue }
            var type = try within(path.text) { () throws(IRMAError) in try CredentialTypeDescription(xml: bytes) }
            guard type.id == CredentialTypeIdentifier("\(files.scheme.text).\(parts[0]).\(parts[2])") else {
                throw IRMAError(.invalidScheme, "the description of \(type.id)", path: [path.text])
            }
            if type.languages.isEmpty { type.languages = issuers[type.id.issuer]?.languages ?? [] }
            types[type.id] = type
        }
        return types
    }

    func keyFiles() throws(IRMAError) -> [IssuerIdentifier: [UInt: [UInt8]]] {
        var keys: [IssuerIdentifier: [UInt: [UInt8]]] = [:]
        for (path, bytes) in files.files {
            let parts = path.parts
            guard parts.count == 3, parts[1] == "PublicKeys", parts[2].hasSuffix(".xml") else { continue }
            let counter: UInt = try within(path.text) { () throws(IRMAError) in
                try Self.number(String(parts[2].dropLast(4)))
            }
            keys[IssuerIdentifier("\(files.scheme.text).\(parts[0])"), default: [:]][counter] = bytes
        }
        return keys
    }

    func keyshareKeys() throws(IRMAError) -> [UInt: PublicKey] {
        var keys: [UInt: PublicKey] = [:]
        for (path, bytes) in files.files {
            guard path.parts.count == 1, path.text.hasPrefix("kss-"), path.text.hasSuffix(".pem") else { continue }
            let number: UInt = try within(path.text) { () throws(IRMAError) in
                try Self.number(String(path.text.dropFirst(4).dropLast(4)))
            }
            do {
                keys[number] = try PublicKey(pem: String(decoding: bytes, as: UTF8.self))
            } catch {
                throw IRMAError(.invalidScheme, "no public key", path: [path.text], cause: error)
            }
        }
        return keys
    }

    private static func number(_ text: String) throws(IRMAError) -> UInt {
        guard let number = UInt(text), String(number) == text else {
            throw IRMAError(.invalidScheme, "the name of the file has no number")
        }
        return number
    }

    private func within<Value>(
        _ path: String,
        _ body: () throws(IRMAError) -> Value
    ) throws(IRMAError) -> Value {
        do throws(IRMAError) { return try body() } catch { throw error.inside("\(files.scheme.text)/\(path)") }
    }
}
