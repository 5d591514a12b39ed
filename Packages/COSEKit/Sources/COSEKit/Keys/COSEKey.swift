public import CBORKit
import CryptoCore

/// A key in CBOR: COSE_Key (RFC 9052 section 7).
///
/// A key that was read keeps its bytes. Its numbers are checked when a key of the engine is made from it, by
/// ``publicKey()``, ``privateKey()`` or ``symmetricKey()``. Neither a description nor a mirror shows private parts, and
/// their storage is wiped.
public struct COSEKey: Sendable {
    /// The family (`kty`).
    public var keyType: COSEKeyType {
        switch content {
        case .plain(let key): key.keyType
        case .parts(let members): members.parts.keyType
        }
    }
    /// The identifier (`kid`), which need not be unique.
    public var keyID: ArraySlice<UInt8>? { members?.parts.keyID }
    /// The only algorithm that the key may be used with (`alg`), or nil for any that fits.
    public var algorithm: COSEAlgorithm? { members?.parts.algorithm }
    /// The only operations that the key may be used for (`key_ops`), or nil for any that fit.
    public var keyOperations: Set<COSEKeyOperation>? { members?.parts.keyOperations }
    /// The constant part of initialization vectors (`Base IV`).
    public var baseIV: ArraySlice<UInt8>? { members?.parts.baseIV }

    var material: Material {
        switch content {
        case .plain(let key): key.material
        case .parts(let members): members.parts.material
        }
    }
    private let content: Content

    private enum Content: Sendable {
        /// A public key of a curve with nothing beside its numbers, as received; taken apart when it is asked for.
        case plain(PlainCurveKey)
        /// Any other key.
        case parts(Members)
    }

    /// The storage that all copies share.
    private final class Members: Sendable {
        let parts: Parts
        let encoding: Encoding

        init(_ parts: Parts, _ encoding: Encoding) {
            self.parts = parts
            self.encoding = encoding
        }
    }

    /// The members of a key that is not plain; nil for a plain one, which has nothing beside its numbers.
    private var members: Members? {
        if case .parts(let members) = content { members } else { nil }
    }

    /// The numbers of a key.
    enum Material: Sendable {
        case ec2(EllipticCurveMaterial)
        case okp(EllipticCurveMaterial)
        case rsa(RSAMaterial)
        case symmetric(SecretBytes)
        case unknown
    }

    /// The bytes of the key: open for a public key, in wiped storage for any other.
    private enum Encoding: Sendable {
        case open(ArraySlice<UInt8>)
        case secret(SecretBytes)
    }

    /// Indicates that the key has a private or symmetric part; `true` too for a key of an unknown type, which might.
    public var isSecret: Bool {
        guard case .parts(let members) = content, case .secret = members.encoding else { return false }
        return true
    }

    /// The key in CBOR: as received, or encoded deterministically.
    ///
    /// Holds the private part, where there is one.
    public func encoded() -> [UInt8] {
        switch content {
        case .plain(let key): [UInt8](key.encodedBytes)
        case .parts(let members):
            switch members.encoding {
            case .open(let bytes): [UInt8](bytes)
            case .secret(let bytes): bytes.withUnsafeBytes { [UInt8]($0) }
            }
        }
    }

    /// Writes the key: as received, or encoded deterministically.
    ///
    /// Writes the private part, where there is one.
    public func encode(to writer: inout CBORWriter) {
        writer.write(encoded: encoded())
    }

    init(_ parts: Parts, encoded bytes: ArraySlice<UInt8>) {
        content = .parts(Members(parts, parts.material.isSecret ? .secret(SecretBytes(bytes)) : .open(bytes)))
    }

    init(_ key: PlainCurveKey) {
        content = .plain(key)
    }

    /// The members of a key, gathered before it is made.
    struct Parts: Sendable {
        var keyType: COSEKeyType
        var keyID: ArraySlice<UInt8>?
        var algorithm: COSEAlgorithm?
        var keyOperations: Set<COSEKeyOperation>?
        var baseIV: ArraySlice<UInt8>?
        var material: Material
    }
}

extension COSEKey.Material {
    var isSecret: Bool {
        switch self {
        case .ec2(let material), .okp(let material): material.privateKey != nil
        case .rsa(let material): material.privateNumbers != nil
        case .symmetric, .unknown: true
        }
    }
}

extension COSEKey: CustomStringConvertible, CustomReflectable {
    /// The type, the curve and whether the key is private; nothing of its numbers.
    public var description: String {
        let kind =
            switch material {
            case .ec2(let material), .okp(let material): "\(keyType), \(material.curveName)"
            default: "\(keyType)"
            }
        return "COSEKey(\(kind)\(isSecret ? ", secret" : ""))"
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
