public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The private keys that an issuing server has, each with the public key of the scheme.
public struct IssuerKeyRing: Sendable {
    private var pairs: [IssuerIdentifier: [UInt: IdemixIssuerKeyPair]] = [:]

    /// A ring without keys.
    public init() {}

    /// The issuers with a key, in the order of their names.
    public var issuers: [IssuerIdentifier] { pairs.keys.sorted() }

    /// The key of an issuer with a counter, or nil.
    public func keyPair(of issuer: IssuerIdentifier, counter: UInt) -> IdemixIssuerKeyPair? { pairs[issuer]?[counter] }

    /// The key of an issuer with the highest counter, or nil.
    public func newest(of issuer: IssuerIdentifier) -> IdemixIssuerKeyPair? {
        pairs[issuer]?.max { $0.key < $1.key }?.value
    }

    /// The keys of an issuer, the lowest counter first.
    package func keyPairs(of issuer: IssuerIdentifier) -> [IdemixIssuerKeyPair] {
        (pairs[issuer] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    /// Adds the keys of another ring, each in place of one with the same issuer and counter.
    public mutating func add(_ other: IssuerKeyRing) {
        for (issuer, others) in other.pairs { pairs[issuer, default: [:]].merge(others) { $1 } }
    }

    /// Adds a key of an issuer that the schemes have.
    ///
    /// - Throws: ``IRMAError/Code/unknownKey`` if the scheme has no public key with the counter, and
    ///   ``IRMAError/Code/invalidScheme`` if the two do not belong together.
    public mutating func add(
        _ privateKey: IdemixIssuerPrivateKey,
        of issuer: IssuerIdentifier,
        schemes: SchemeSnapshot
    ) throws(IRMAError) {
        let place = [issuer.text, "\(privateKey.counter)"]
        guard let publicKey = schemes.publicKey(of: issuer, counter: privateKey.counter) else {
            throw IRMAError(.unknownKey, "the scheme has no public key with this counter", path: place)
        }
        do throws(IdemixError) {
            let pair = try IdemixIssuerKeyPair(publicKey: publicKey, privateKey: privateKey)
            pairs[issuer, default: [:]][privateKey.counter] = pair
        } catch {
            throw IRMAError(.invalidScheme, error.message, path: place, cause: error)
        }
    }
}

extension IssuerKeyRing {
    /// The largest size of a file with a private key, in bytes.
    public static let maximumFileSize = 1 << 20

    /// Adds the keys of a folder, whose files are called `scheme.issuer.xml` or `scheme.issuer.<counter>.xml`.
    ///
    /// The factors of keys outside demo schemes are checked to be safe primes.
    ///
    /// - Throws: ``IRMAError/Code/storageFailed``; ``IRMAError/Code/invalidPath`` for a file of another name;
    ///   ``IRMAError/Code/invalidScheme`` for a file that is not a private key or one of another counter; the errors of
    ///   ``add(_:of:schemes:)``.
    public mutating func add(folder url: URL, schemes: SchemeSnapshot) throws(IRMAError) {
        try add(folder: url, schemes: schemes, leavingOut: [])
    }

    /// Adds the keys of a folder, but for those of schemes that could not be read.
    ///
    /// - Throws: As ``add(folder:schemes:)``.
    public mutating func add(
        folder url: URL,
        schemes: SchemeSnapshot,
        leavingOut unread: Set<SchemeIdentifier>
    ) throws(IRMAError) {
        for name in try Self.names(in: url) {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let issuer = IssuerIdentifier(parts.prefix(2).joined(separator: "."))
            let isNamed = parts.count == 4 && UInt(parts[2]) != nil
            guard issuer.isWellFormed, parts.count == 3 || isNamed else {
                throw IRMAError(.invalidPath, "not the name of an issuer's private key", path: [name])
            }
            guard !unread.contains(issuer.scheme) else { continue }
            let counter = isNamed ? UInt(parts[2]) : nil
            try add(file: url.appendingPathComponent(name), of: issuer, counter: counter, schemes: schemes)
        }
    }

    /// Adds the keys that lie in the folders of schemes, as `<scheme>/<issuer>/PrivateKeys/<counter>.xml`.
    ///
    /// - Throws: As ``add(folder:schemes:)``.
    public mutating func add(schemesFolder url: URL, schemes: SchemeSnapshot) throws(IRMAError) {
        for issuer in schemes.schemes.values.flatMap(\.issuers.keys).sorted() where issuer.isWellFormed {
            let parts = issuer.parts.map(String.init)
            let folder = url.appendingPathComponent(parts.joined(separator: "/")).appendingPathComponent("PrivateKeys")
            guard FileManager.default.fileExists(atPath: folder.path) else { continue }
            for name in try Self.names(in: folder) {
                guard let counter = UInt(name.dropLast(4)) else {
                    throw IRMAError(.invalidPath, "not the name of an issuer's private key", path: [issuer.text, name])
                }
                let file = folder.appendingPathComponent(name)
                try add(file: file, of: issuer, counter: counter, schemes: schemes)
            }
        }
    }

    private mutating func add(
        file url: URL,
        of issuer: IssuerIdentifier,
        counter: UInt?,
        schemes: SchemeSnapshot
    ) throws(IRMAError) {
        let isDemo = schemes.schemes[issuer.scheme]?.description.isDemo == true
        var bytes = try Self.read(url)
        // The text of a key, of which the key's own numbers are a copy.
        defer { bytes.resetBytes(in: 0..<bytes.count) }
        let key: IdemixIssuerPrivateKey
        do throws(IdemixError) {
            key = try IdemixIssuerPrivateKey(xml: bytes, validation: isDemo ? .arithmetic : .safePrimes)
        } catch {
            throw IRMAError(.invalidScheme, error.message, path: [url.lastPathComponent] + error.path, cause: error)
        }
        guard counter == nil || counter == key.counter else {
            throw IRMAError(.invalidScheme, "the key has another counter", path: [url.lastPathComponent])
        }
        try add(key, of: issuer, schemes: schemes)
    }

    private static func names(in folder: URL) throws(IRMAError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".xml") && !$0.hasPrefix(".") }.sorted()
        } catch {
            throw IRMAError(fileSystem: error, at: folder)
        }
    }

    private static func read(_ url: URL) throws(IRMAError) -> Data {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
            guard let size, size <= maximumFileSize else {
                throw IRMAError(.limitExceeded, "the file has more than \(maximumFileSize) bytes")
            }
            return try Data(contentsOf: url)
        } catch let error as IRMAError {
            throw error.inside(url.lastPathComponent)
        } catch {
            throw IRMAError(fileSystem: error, at: url)
        }
    }
}
