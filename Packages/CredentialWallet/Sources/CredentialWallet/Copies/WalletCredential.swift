public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The number of presentations that one copy of a credential serves.
///
/// Presentations of one copy can be linked by its signature; issuers give several copies for that reason.
public struct RotationPolicy: Hashable, Sendable {
    /// The largest number of presentations of a copy; nil for any number.
    public let maximumUses: UInt64?

    private init(_ maximumUses: UInt64?) {
        self.maximumUses = maximumUses
    }

    /// Each copy is presented once.
    public static let once = RotationPolicy(1)

    /// Each copy is presented up to a number of times; a number below 1 counts as 1.
    public static func limited(uses: UInt64) -> RotationPolicy { RotationPolicy(max(uses, 1)) }

    /// Each copy is presented until it expires, the least used copy first.
    public static let untilExpiry = RotationPolicy(nil)
}

/// An issuer's data for showing a credential to its holder, in one language (OpenID4VCI, `display`).
public struct CredentialDisplay: Hashable, Sendable {
    /// The language, as a tag of BCP 47; nil for any.
    public var locale: String?
    /// The name of the credential.
    public var name: String
    /// The name of the issuer.
    public var issuerName: String?
    /// The description of the credential.
    public var summary: String?
    /// The location of the logo, which may be a `data:` URI.
    public var logoURI: String?
    /// The background color, as in CSS.
    public var backgroundColor: String?
    /// The text color, as in CSS.
    public var textColor: String?

    /// Display data with a name.
    public init(
        name: String,
        locale: String? = nil,
        issuerName: String? = nil,
        summary: String? = nil,
        logoURI: String? = nil,
        backgroundColor: String? = nil,
        textColor: String? = nil
    ) {
        self.locale = locale
        self.name = name
        self.issuerName = issuerName
        self.summary = summary
        self.logoURI = logoURI
        self.backgroundColor = backgroundColor
        self.textColor = textColor
    }
}

/// A credential in a wallet's store, with the state of its copies.
public struct WalletCredential: Hashable, Sendable, Identifiable {
    /// A copy: the same data as in the other copies, bound to a key of its own.
    public struct Copy: Hashable, Sendable {
        /// The number of the copy in its credential, from 1; never given again.
        public let number: UInt32
        /// The use of the key that the copy is bound to.
        public let keyUsage: CopyKeyUsage
        /// The number of presentations that the copy was claimed for.
        public internal(set) var uses: UInt64
        /// The first moment of the copy's validity; the distant past for a copy that names none.
        public let validFrom: Date
        /// The last moment of the copy's validity; the distant future for a copy that names none.
        public let validUntil: Date
        /// When the issuer expects to issue the credential again, perhaps with other data (ISO/IEC 18013-5, 12.3.4); nil if it
        /// does not say.
        public let expectedUpdate: Date?
        /// The SHA-256 digest of the copy.
        let digest: [UInt8]

        /// Returns `true` at a time within the copy's validity, both ends included.
        public func isValid(at time: Date) -> Bool { validFrom <= time && time <= validUntil }

        /// Returns `true` if a rotation policy allows another presentation.
        public func isUnspent(by rotation: RotationPolicy) -> Bool {
            rotation.maximumUses.map { uses < $0 } ?? true
        }
    }

    /// The identifier, which the store gives: 32 hexadecimal digits.
    public let id: String
    /// The type, as its format names it, such as the document type of an mdoc or the `vct` of an SD-JWT VC.
    public let type: String
    /// Further types that a copy is of, as its format names them, such as the `aka_vcts` of an SD-JWT VC; none of copies that were
    /// stored before the store kept them.
    public internal(set) var furtherTypes: [String] = []
    /// When the credential was added.
    public let addedAt: Date
    /// The number of presentations that a copy serves.
    public let rotation: RotationPolicy
    /// The number of usable copies at which to fetch more: see ``WalletEvent/copiesLow(_:remaining:)``.
    public let refillThreshold: Int
    /// The issuer's data for showing the credential, one per language.
    public let display: [CredentialDisplay]
    /// The copies by their numbers.
    public internal(set) var copies: [Copy]
    /// The number of the next copy.
    var nextNumber: UInt32

    /// Returns `true` if the credential is of one of some types, by its type or a further one.
    func isOf(_ types: Set<ExactText>) -> Bool {
        types.contains(ExactText(type)) || furtherTypes.contains { types.contains(ExactText($0)) }
    }

    /// The copies that can be presented at a time.
    public func usableCopies(at time: Date) -> [Copy] {
        copies.filter { $0.isValid(at: time) && $0.isUnspent(by: rotation) }
    }

    /// The copy to present at a time: of the usable ones the least used, then the one with the lowest number.
    public func copyToPresent(at time: Date) -> Copy? {
        usableCopies(at: time).min { ($0.uses, $0.number) < ($1.uses, $1.number) }
    }

    /// Returns `true` if there are no more usable copies than the threshold, or if the issuer has newer ones: see
    /// ``isUpdateDue(at:)``.
    public func needsRefill(at time: Date) -> Bool { hasFewCopies(at: time) || isUpdateDue(at: time) }

    /// Returns `true` if there are no more usable copies than the threshold.
    func hasFewCopies(at time: Date) -> Bool { usableCopies(at: time).count <= refillThreshold }

    /// Returns `true` from the time on at which the issuer expects to issue the credential again, perhaps with other data
    /// (ISO/IEC 18013-5, 12.3.4).
    ///
    /// The time of the newest copy counts. Copies that were issued before stay usable until they expire.
    public func isUpdateDue(at time: Date) -> Bool {
        copies.max { $0.number < $1.number }?.expectedUpdate.map { $0 <= time } ?? false
    }

    /// The first moment at which a copy is valid, and the last; nil without a copy.
    public var validity: ClosedRange<Date>? {
        guard let start = copies.map(\.validFrom).min(), let end = copies.map(\.validUntil).max(), start <= end else {
            return nil
        }
        return start...end
    }

    /// The issuer's data in one of the preferred languages, or else the first.
    public func display(in languages: [String]) -> CredentialDisplay? {
        for language in languages {
            if let found = display.first(where: { $0.locale?.hasSameBytes(as: language) == true }) { return found }
        }
        return display.first
    }
}

/// A credential after a refill.
public struct RefilledCredential: Sendable {
    /// The credential with its new copies, and without those that were spent, expired or damaged.
    public let credential: WalletCredential
    /// The handles of the removed copies' keys, as they were added: the wallet deletes these keys.
    public let removedKeyHandles: [SecretBytes]
    /// The removed copies whose key is not known, since they were damaged: ``CredentialStore/keyHandles()`` tells the keys
    /// that remain.
    public let removedUnreadableCopies: [UnreadableValue]
}

/// A change of a wallet's store.
public enum WalletEvent: Hashable, Sendable {
    /// A credential was added.
    case added(WalletCredential.ID)
    /// Copies were added to a credential.
    case refilled(WalletCredential.ID)
    /// A copy was claimed for a presentation.
    case used(WalletCredential.ID, copy: UInt32)
    /// No more usable copies remain than the credential's ``WalletCredential/refillThreshold``.
    case copiesLow(WalletCredential.ID, remaining: Int)
    /// A credential was removed.
    case removed(WalletCredential.ID)
}
