import JSONKit

/// A verifier's demand on the metadata of a credential's type (SD-JWT VC, processing type metadata).
public enum TypeMetadataPolicy: Sendable {
    /// They are left out, which the verification reports as waived.
    case waived
    /// They are processed if they can be retrieved; a credential that breaks them is refused.
    case whenAvailable(any TypeMetadataSource)
    /// They must be retrieved, and the credential must meet their demands.
    case required(any TypeMetadataSource)
}

extension TypeMetadataPolicy {
    /// Makes the check.
    func check(_ checks: inout SDJWTChecks) async {
        switch self {
        case .waived: checks.record(.typeMetadata, .waived("typeMetadata"))
        case .whenAvailable(let source): await Self.check(&checks, source, isRequired: false)
        case .required(let source): await Self.check(&checks, source, isRequired: true)
        }
    }

    private static func check(
        _ checks: inout SDJWTChecks,
        _ source: any TypeMetadataSource,
        isRequired: Bool
    ) async {
        guard !checks.isRefused, let payload = checks.payload else { return }
        do throws(SDJWTError) {
            let metadata = try await load(payload, from: source)
            try metadata.validate(payload, expectsAllDisclosures: checks.policy.expectsAllDisclosures)
            checks.typeMetadata = metadata
            checks.record(.typeMetadata, .passed)
        } catch {
            let isMissing = error.code == .typeMetadataNotFound || error.code == .retrievalFailed
            if isMissing && !isRequired {
                checks.skip([.typeMetadata], error.description)
            } else {
                checks.record(.typeMetadata, error)
            }
        }
    }

    private static func load(
        _ payload: SDJWTPayload,
        from source: any TypeMetadataSource
    ) async throws(SDJWTError) -> TypeMetadata {
        guard let type = payload["vct"]?.stringValue else {
            throw SDJWTError(.typeMetadataNotFound, "the SD-JWT has no type", path: ["vct"])
        }
        var integrity: IntegrityMetadata?
        if let value = payload["vct#integrity"] {
            guard let text = value.stringValue else {
                throw SDJWTError(.invalidClaim, "the claim is no string", path: ["vct#integrity"])
            }
            integrity = IntegrityMetadata(text)
        }
        return try await TypeMetadata.load(type, integrity: integrity, from: source)
    }
}
