extension VerifiedSecuredDocument {
    /// The node that the document is.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` for JSON that is not expanded, and for none or several nodes.
    func node() throws(LinkedDataError) -> ExpandedNode {
        guard let expanded else {
            throw LinkedDataError(.invalidCredential, "the document is not expanded", path: ["@context"])
        }
        return try ExpandedNode(expanded)
    }
}
