public import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The path of a file of a scheme, below the scheme's folder.
///
/// Paths are relative and stay inside the folder: no empty part, no `.` or `..`, no backslash, no control character.
public struct SchemePath: ExactName {
    /// The path.
    public let text: String

    /// Keeps a path of the source; ``init(checking:)`` reads one from outside.
    public init(_ text: String) {
        self.text = text
    }

    /// Reads a path from outside.
    ///
    /// - Throws: ``IRMAError/Code/invalidPath``.
    public init(checking text: String) throws(IRMAError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isAllowed = parts.allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                && part.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
        }
        guard isAllowed, text.utf8.count <= 1024 else {
            throw IRMAError(.invalidPath, "a path that does not stay in the scheme's folder", path: [text])
        }
        self.text = text
    }

    /// The parts between the slashes.
    public var parts: [Substring] { text.split(separator: "/", omittingEmptySubsequences: false) }

    /// Indicates a private key, the scheme's or an issuer's, which no index names.
    public var isPrivateKey: Bool { text.hasSameBytes(as: "sk.pem") || parts.contains("PrivateKeys") }

    /// The path of the logo with a name: the SHA-256 of the picture in hexadecimal digits.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription`` for a name that is not a digest.
    init(logo name: String) throws(IRMAError) {
        self.init("assets/\(name).png")
        guard logoDigest != nil else {
            throw IRMAError(.malformedDescription, "the name of a logo is no SHA-256", path: [name])
        }
    }

    /// The SHA-256 that the name of a logo promises, or nil for another file.
    var logoDigest: [UInt8]? {
        let (parts, suffix) = (parts, ".png")
        guard parts.count == 2, parts[0].utf8.elementsEqual("assets".utf8),
            parts[1].utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return nil }
        return SchemeIndex.digest(hexadecimal: parts[1].utf8.dropLast(suffix.utf8.count))
    }

    /// The index.
    public static let index: SchemePath = "index"
    /// The signature over the index.
    public static let signature: SchemePath = "index.sig"
    /// The public key of the scheme.
    public static let publicKey: SchemePath = "pk.pem"
    /// The time of the scheme's signature.
    public static let timestamp: SchemePath = "timestamp"
}

/// The signed list of a scheme's files with their digests.
public struct SchemeIndex: Hashable, Sendable {
    /// The digests in SHA-256 by path.
    public let digests: [SchemePath: [UInt8]]
    /// The text, as received or made.
    public let encodedBytes: [UInt8]

    /// Reads an index.
    ///
    /// - Parameters:
    ///   - bytes: Lines of 64 hexadecimal digits, a space, the scheme, a slash and a path.
    ///   - scheme: The scheme, which every path begins with.
    ///   - limits: The limits of a scheme.
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/invalidPath``, ``IRMAError/Code/limitExceeded``.
    public init(
        decoding bytes: [UInt8],
        of scheme: SchemeIdentifier,
        limits: SchemeLimits = .default
    ) throws(IRMAError) {
        guard bytes.count <= limits.indexSize else {
            throw IRMAError(.limitExceeded, "\(bytes.count) bytes, \(limits.indexSize) allowed", path: ["index"])
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        guard lines.count <= limits.files else {
            throw IRMAError(.limitExceeded, "\(lines.count) files, \(limits.files) allowed", path: ["index"])
        }
        var digests: [SchemePath: [UInt8]] = [:]
        for (number, line) in lines.enumerated() {
            do throws(IRMAError) {
                let (path, digest) = try Self.entry(line, of: scheme)
                guard digests.updateValue(digest, forKey: path) == nil else {
                    throw IRMAError(.malformedDescription, "the path occurs twice", path: [path.text])
                }
            } catch {
                throw error.inside("line \(number + 1)").inside("index")
            }
        }
        self.digests = digests
        encodedBytes = bytes
    }

    private static func entry(
        _ line: ArraySlice<UInt8>,
        of scheme: SchemeIdentifier
    ) throws(IRMAError) -> (SchemePath, [UInt8]) {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), let digest = digest(hexadecimal: line[..<space]),
            let text = String(validating: line[line.index(after: space)...], as: UTF8.self)
        else { throw IRMAError(.malformedDescription, "a line is a digest, a space and a path") }
        let prefix = scheme.text + "/"
        guard text.utf8.starts(with: prefix.utf8) else {
            throw IRMAError(.invalidPath, "a path that does not begin with the scheme", path: [text])
        }
        let rest = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        return (try SchemePath(checking: rest), digest)
    }

    /// Reads a SHA-256 in hexadecimal digits, or returns nil.
    static func digest(hexadecimal text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text {
            guard byte < 0x80, byte != UInt8(ascii: "+"), let digit = UInt8(String(UnicodeScalar(byte)), radix: 16)
            else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// Makes the index of files.
    public init(of files: [SchemePath: [UInt8]], in scheme: SchemeIdentifier) {
        digests = files.mapValues { HashAlgorithm.sha256.digest(of: $0) }
        let lines = digests.sorted { $0.key < $1.key }.map { path, digest in
            digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + " \(scheme.text)/\(path.text)\n"
        }
        encodedBytes = Array(lines.joined().utf8)
    }

    /// The algorithm of the signature: ECDSA on P-256 with SHA-256, in DER.
    public static let algorithm = SignatureAlgorithm.ecdsaSHA256

    /// Refuses an index that the scheme's owner did not sign.
    ///
    /// - Throws: ``IRMAError/Code/invalidSchemeSignature``.
    func requireSignature(_ signature: [UInt8], by key: PublicKey) throws(IRMAError) {
        guard key.isValidSignature(signature, for: encodedBytes, algorithm: Self.algorithm, format: .der) else {
            throw IRMAError(.invalidSchemeSignature, "the signature does not verify", path: ["index.sig"])
        }
    }

    /// Refuses a file that is not the one in the index.
    ///
    /// - Throws: ``IRMAError/Code/digestMismatch``.
    func requireDigest(of bytes: [UInt8], at path: SchemePath) throws(IRMAError) {
        guard let digest = digests[path] else {
            throw IRMAError(.digestMismatch, "the file is not in the index", path: [path.text])
        }
        guard HashAlgorithm.sha256.isDigest(digest, of: bytes) else {
            throw IRMAError(.digestMismatch, "the file is not the one in the index", path: [path.text])
        }
    }

    /// The time in a scheme's file `timestamp`: seconds since 1970 and a newline.
    ///
    /// - Throws: ``IRMAError/Code/malformedDescription``.
    static func time(_ bytes: [UInt8]) throws(IRMAError) -> Date {
        let digits = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        guard (1...18).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(String(decoding: digits, as: UTF8.self))
        else { throw IRMAError(.malformedDescription, "not a time in seconds", path: ["timestamp"]) }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

/// Limits for reading a scheme; each bound is the largest accepted.
public struct SchemeLimits: Hashable, Sendable {
    /// The size of the index in bytes.
    public var indexSize = 4 << 20
    /// The number of files.
    public var files = 20_000
    /// The size of a file in bytes.
    public var fileSize = 4 << 20
    /// The size of all files together in bytes.
    public var totalSize = 256 << 20
    /// The depth of dependencies between credential types.
    public var dependencyDepth = 24

    /// The default of each limit.
    public static let `default` = SchemeLimits()

    /// The default of each limit.
    public init() {}
}
