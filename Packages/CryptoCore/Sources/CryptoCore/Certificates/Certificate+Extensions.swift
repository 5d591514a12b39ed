extension Certificate {
    /// All extensions as encoded, in order.
    public var extensions: [CertificateExtension] {
        storage.fields.extensions.map { $0.value(in: storage.bytes) }
    }

    /// The identifiers of the critical extensions, in order.
    var criticalExtensions: some Sequence<OID> {
        storage.fields.extensions.lazy.filter(\.isCritical).map { OID(checked: storage.bytes[$0.id]) }
    }

    /// One extension as encoded, or nil if it is absent.
    public func `extension`(_ id: OID) -> CertificateExtension? {
        entry(id).map { $0.value(in: storage.bytes) }
    }

    /// basicConstraints, or nil if it is absent.
    public var basicConstraints: BasicConstraints? { storage.fields.known.basicConstraints }

    /// keyUsage, or nil if it is absent, which leaves every use allowed.
    public var keyUsage: KeyUsage? { storage.fields.known.keyUsage }

    /// extKeyUsage, or nil if it is absent, which leaves every purpose allowed.
    public var extendedKeyUsage: ExtendedKeyUsage? { storage.fields.known.extendedKeyUsage }

    /// subjectKeyIdentifier, or nil if it is absent.
    public var subjectKeyIdentifier: ArraySlice<UInt8>? {
        storage.fields.known.subjectKeyIdentifier.map { storage.bytes[$0] }
    }

    /// authorityKeyIdentifier, or nil if it is absent.
    public var authorityKeyIdentifier: AuthorityKeyIdentifier? { storage.fields.known.authorityKeyIdentifier }

    /// subjectAltName, or nil if it is absent.
    ///
    /// Read when asked for.
    public var subjectAlternativeName: GeneralNames? {
        get throws(CryptoError) { try value(.subjectAlternativeName) }
    }

    /// issuerAltName, or nil if it is absent.
    ///
    /// Read when asked for.
    public var issuerAlternativeName: GeneralNames? {
        get throws(CryptoError) { try value(.issuerAlternativeName) }
    }

    /// cRLDistributionPoints, or nil if it is absent.
    ///
    /// Read when asked for.
    public var crlDistributionPoints: CRLDistributionPoints? {
        get throws(CryptoError) { try value(.crlDistributionPoints) }
    }

    /// nameConstraints, or nil if it is absent.
    ///
    /// Read when asked for.
    public var nameConstraints: NameConstraints? {
        get throws(CryptoError) { try value(.nameConstraints) }
    }

    /// certificatePolicies, or nil if it is absent.
    ///
    /// Read when asked for.
    public var certificatePolicies: CertificatePolicies? {
        get throws(CryptoError) { try value(.certificatePolicies) }
    }

    /// policyMappings, or nil if it is absent.
    ///
    /// Read when asked for.
    public var policyMappings: PolicyMappings? {
        get throws(CryptoError) { try value(.policyMappings) }
    }

    /// policyConstraints, or nil if it is absent.
    var policyConstraints: PolicyConstraints? {
        get throws(CryptoError) { try value(.policyConstraints) }
    }

    /// inhibitAnyPolicy, or nil if it is absent.
    var inhibitAnyPolicy: InhibitAnyPolicy? {
        get throws(CryptoError) { try value(.inhibitAnyPolicy) }
    }

    /// Reads the extensions that are otherwise read on demand: the alternative names, and the critical ones, which must
    /// not be ignored (RFC 5280, 4.2).
    func requireReadableExtensions() throws(CryptoError) {
        _ = try subjectAlternativeName
        for id in criticalExtensions {
            switch id {
            case .issuerAlternativeName: _ = try issuerAlternativeName
            case .certificatePolicies: _ = try certificatePolicies
            case .crlDistributionPoints: _ = try crlDistributionPoints
            case .policyMappings: _ = try policyMappings
            case .policyConstraints: _ = try policyConstraints
            case .inhibitAnyPolicy: _ = try inhibitAnyPolicy
            default: continue
            }
        }
    }

    /// The content of an extension, or nil if it is absent.
    func value<Value: ExtensionValue>(_ id: OID) throws(CryptoError) -> Value? {
        guard let entry = entry(id) else { return nil }
        do throws(CryptoError) {
            return try Value(id, storage.bytes[entry.value])
        } catch {
            throw error.inside("Certificate")
        }
    }

    private func entry(_ id: OID) -> ExtensionEntry? {
        storage.fields.extensions.first { $0.has(id, in: storage.bytes) }
    }
}
