/// A list of names, as subjectAltName and issuerAltName hold it.
public struct GeneralNames: Hashable, Sendable {
    /// The names in the order of the encoding.
    public let names: [GeneralName]

    init(_ names: [GeneralName]) {
        self.names = names
    }

    /// The dNSNames.
    public var dnsNames: [String] {
        names.compactMap { if case .dns(let name) = $0 { name } else { nil } }
    }

    /// The uniformResourceIdentifiers.
    public var uris: [String] {
        names.compactMap { if case .uri(let name) = $0 { name } else { nil } }
    }

    /// The rfc822Names: e-mail addresses.
    public var emailAddresses: [String] {
        names.compactMap { if case .email(let name) = $0 { name } else { nil } }
    }

    /// The iPAddresses, 4 or 16 bytes each.
    public var ipAddresses: [ArraySlice<UInt8>] {
        names.compactMap { if case .ipAddress(let address) = $0 { address } else { nil } }
    }

    /// The directoryNames.
    public var directoryNames: [DistinguishedName] {
        names.compactMap { if case .directory(let name) = $0 { name } else { nil } }
    }

    /// Returns `true` if a dNSName is the host name, without regard to the case of ASCII letters.
    ///
    /// This is the rule of the client identifier prefix `x509_san_dns` (OpenID4VP 1.0, 5.9.3): names are compared
    /// whole. A name with a wildcard matches nothing but the same text, and commonName is not looked at.
    public func containsDNSName(_ host: String) -> Bool {
        let bytes = host.utf8
        return names.contains { name in
            guard case .dns(let candidate) = name, candidate.utf8.count == bytes.count else { return false }
            return zip(candidate.utf8, bytes).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
        }
    }

    /// Returns `true` if a uniformResourceIdentifier is exactly this text, byte by byte: the rule of `x509_san_uri`.
    public func containsURI(_ uri: String) -> Bool {
        names.contains { name in
            guard case .uri(let candidate) = name else { return false }
            return candidate.hasSameBytes(as: uri)
        }
    }
}

extension GeneralNames: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        try self.init(contentsOf: reader.enter(DERReader.Tag.sequence, "GeneralNames"))
    }

    /// Reads the names that follow each other up to the end of a reader; there must be at least one.
    init(contentsOf contents: DERReader) throws(CryptoError) {
        var reader = contents
        var names: [GeneralName] = []
        guard !reader.isAtEnd else { throw reader.failure("GeneralNames is empty") }
        while !reader.isAtEnd { names.append(try GeneralName(from: &reader)) }
        self.init(names)
    }

    var derValue: DERValue { .sequence(derValues) }

    /// The names without the SEQUENCE around them, for places with another tag.
    var derValues: [DERValue] { names.map(\.derValue) }
}
