/// The names that stand for digests in a payload (RFC 9901, section 4.1).
enum ReservedName {
    /// Holds the digests of an object's members.
    static let digests = "_sd"
    /// Holds the digest of an array's element.
    static let element = "..."
    /// Names the hash function.
    static let hashAlgorithm = "_sd_alg"

    /// Refuses the name of a claim that would be taken for a digest.
    static func refuse(_ name: String) throws(SDJWTError) {
        // Lengths settle nearly all cases: both have three characters.
        guard name.utf8.count != 3 || (name != digests && name != element) else {
            throw SDJWTError(.reservedClaimName, "no claim may have the name \"\(name)\"")
        }
    }
}
