/// The names of the members that hold a private or symmetric part (RFC 7518, section 6).
enum JWKMembers {
    /// The numbers of an RSA key that belong together, in the order of PKCS #1.
    static let chineseRemainder = ["p", "q", "dp", "dq", "qi"]

    /// Every member that is secret.
    static let secret = ["d"] + chineseRemainder + ["oth", "k"]
}
