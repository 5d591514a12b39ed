extension SDJWT: CustomStringConvertible {
    /// What kind of SD-JWT it is and how many Disclosures it has; never a claim.
    public var description: String {
        let kind = keyBindingJWT == nil ? "SD-JWT" : "SD-JWT+KB"
        return "\(kind) with \(disclosureList.count) Disclosures"
    }
}
