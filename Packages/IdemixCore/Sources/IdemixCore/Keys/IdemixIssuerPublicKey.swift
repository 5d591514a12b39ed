public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An issuer's public key for Camenisch–Lysyanskaya signatures.
///
/// A key's numbers are checked when the value is made, so that no later step has to. The tables that make its
/// exponentiations fast are built when they are first needed.
public struct IdemixIssuerPublicKey: Sendable {
    // One reference, however often the key is handed on.
    private let storage: Storage

    private final class Storage: Sendable {
        let counter: UInt
        let expiryDate: Date
        let elements: IdemixKeyElements
        let revocationKey: PublicKey?
        let epochLength: Int
        let parameters: IdemixSystemParameters
        let group: KeyGroup

        init(
            counter: UInt,
            expiryDate: Date,
            elements: IdemixKeyElements,
            revocationKey: PublicKey?,
            epochLength: Int,
            parameters: IdemixSystemParameters,
            tables: FixedBaseTables
        ) throws(IdemixError) {
            self.counter = counter
            self.expiryDate = expiryDate
            self.elements = elements
            self.revocationKey = revocationKey
            self.epochLength = epochLength
            self.parameters = parameters
            group = try KeyGroup(elements, parameters: parameters, tables: tables)
        }
    }

    /// The number of this key among the issuer's keys, which the metadata attribute of a credential refers to.
    public var counter: UInt { storage.counter }
    /// After this time the key may no longer sign; what it signed before stays verifiable.
    public var expiryDate: Date { storage.expiryDate }
    /// The numbers.
    public var elements: IdemixKeyElements { storage.elements }
    /// The ECDSA key (P-256) that signs accumulators and revocation events, where the key supports revocation.
    public var revocationKey: PublicKey? { storage.revocationKey }
    /// The validity of an epoch in seconds: carried in the key's file, used by nothing.
    public var epochLength: Int { storage.epochLength }
    /// The lengths that follow from the modulus.
    public var parameters: IdemixSystemParameters { storage.parameters }
    var group: KeyGroup { storage.group }

    /// Makes a key of its numbers.
    ///
    /// - Parameters:
    ///   - counter: The number of this key among the issuer's keys; the metadata of credentials has room for 0 to
    ///     65535.
    ///   - expiryDate: The time after which the key may no longer sign.
    ///   - elements: The modulus and the bases, which are checked.
    ///   - revocationKey: The ECDSA key of revocation, on P-256; nil, the default, for a key without revocation.
    ///   - epochLength: The validity of an epoch in seconds, which nothing uses; five days by default.
    ///   - tables: The tables of the bases; by default the ones that all keys share.
    /// - Throws: ``IdemixError/Code/unsupportedKeyLength``, ``IdemixError/Code/invalidKey`` or
    ///   ``IdemixError/Code/limitExceeded``, with the name of the number.
    public init(
        counter: UInt,
        expiryDate: Date,
        elements: IdemixKeyElements,
        revocationKey: PublicKey? = nil,
        epochLength: Int = 432_000,
        tables: FixedBaseTables = .shared
    ) throws(IdemixError) {
        let parameters = try elements.validated()
        if let revocationKey, revocationKey.curve != .p256 {
            throw IdemixError(.invalidKey, "the key for revocation is not on P-256", path: ["ECDSA"])
        }
        storage = try Storage(
            counter: counter,
            expiryDate: expiryDate,
            elements: elements,
            revocationKey: revocationKey,
            epochLength: epochLength,
            parameters: parameters,
            tables: tables
        )
    }

    /// The largest number of attributes in a credential, besides the secret key and the metadata.
    public var attributeCapacity: Int { elements.R.count - 2 }

    /// Indicates that credentials of this key can be revoked: G, H and the ECDSA key are all there.
    public var supportsRevocation: Bool { elements.G != nil && elements.H != nil && revocationKey != nil }

    /// Returns `true` if a time lies after the key's expiry.
    public func isExpired(at date: Date) -> Bool { date > expiryDate }
}

extension IdemixIssuerPublicKey: Hashable {
    /// Returns `true` if both have the same counter, dates, numbers and ECDSA key.
    public static func == (left: IdemixIssuerPublicKey, right: IdemixIssuerPublicKey) -> Bool {
        left.counter == right.counter && left.expiryDate == right.expiryDate && left.elements == right.elements
            && left.revocationKey == right.revocationKey && left.epochLength == right.epochLength
    }

    /// Feeds the counter and the modulus.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(counter)
        hasher.combine(elements.n)
    }
}

extension IdemixIssuerPublicKey {
    /// Refuses a number outside the group, whose elements have 1 < x < n and are coprime with n.
    func requireUnit(_ x: BigInteger, _ name: String) throws(IdemixError) {
        guard isUnit(x) else {
            throw IdemixError(
                .notInvertible,
                "not a number between 1 and the modulus and coprime with it",
                path: [name]
            )
        }
    }

    /// 1 < x < n and gcd(x, n) = 1.
    func isUnit(_ x: BigInteger) -> Bool {
        x > 1 && x < elements.n && x.greatestCommonDivisor(with: elements.n) == 1
    }
}
