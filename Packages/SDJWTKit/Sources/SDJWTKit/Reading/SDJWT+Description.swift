extension SDJWT: CustomStringConvertible {
    /// The kind of SD-JWT and its number of Disclosures, but never a claim.
    public var description: String {
        let kind = keyBindingJWT == nil ? "SD-JWT" : "SD-JWT+KB"
        return "\(kind) with \(disclosureList.count) Disclosures"
    }
}
