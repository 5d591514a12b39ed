import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPKit
import OID4VPMessages

/// The presentations that an instance has prepared last.
struct Construction: Sendable {
    /// The presentations without signatures.
    let unsigned: UnsignedPresentations
    /// The signatures in the order of ``UnsignedVPTokenV2``: by format, then by document type or name.
    let entries: [(format: FormatType, pending: PendingSignature)]

    init(_ unsigned: UnsignedPresentations) {
        self.unsigned = unsigned
        let entries = unsigned.pendingSignatures.compactMap { pending in
            FormatType(rawValue: pending.format.description).map { (format: $0, pending: pending) }
        }
        self.entries = entries.sorted { left, right in
            left.format == right.format
                ? left.pending.sortingName < right.pending.sortingName
                : left.format.rawValue < right.format.rawValue
        }
    }

    /// The formats for which signatures are needed.
    var formats: Set<FormatType> { Set(entries.map(\.format)) }

    func entries(of format: FormatType) -> [PendingSignature] {
        entries.filter { $0.format == format }.map(\.pending)
    }
}

extension PendingSignature {
    /// The name that orders signatures of one format.
    fileprivate var sortingName: String {
        if case .deviceAuthentication(let docType, _) = subject { docType.text } else { id }
    }

    /// The name of the suite, or of the algorithm in JOSE.
    var algorithmName: String {
        if case .linkedData(_, let suite) = subject { return suite.cryptosuite?.text ?? suite.type.text }
        guard let key, let algorithm else { return "" }
        return JWSAlgorithm(algorithm, for: key)?.rawValue ?? algorithm.name
    }

    /// The key as text.
    var keyText: String {
        switch keyReference {
        case .coseKey(let bytes): Base64URL.encode(bytes)
        case .jwk(let jwk): JSONValue.object(jwk.members).text()
        case .name(let name): name
        }
    }

    /// The bytes to sign, as text.
    func dataToSign(_ form: OpenID4VPSettings.LdpDataToSign) -> String {
        switch subject {
        case .deviceAuthentication(_, let tagged): return tagged.hexadecimal
        case .keyBinding, .token: return String(decoding: bytesToSign, as: UTF8.self)
        case .linkedData:
            return form == .presentationJSON
                ? String(decoding: bytesToSign, as: UTF8.self) : Base64URL.encode(bytesToSign)
        }
    }

    /// The document type of an mdoc.
    var docType: String? {
        if case .deviceAuthentication(let docType, _) = subject { docType.text } else { nil }
    }

    /// Indicates that a linked-data proof has a JWS.
    var hasJWS: Bool {
        guard case .linkedData(_, let suite) = subject else { return false }
        return [LinkedDataProofSuite.jsonWebSignature2020, .ed25519Signature2018, .rsaSignature2018].contains(suite)
    }
}

extension [UInt8] {
    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
