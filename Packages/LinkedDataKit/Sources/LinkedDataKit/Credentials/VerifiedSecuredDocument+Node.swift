extension VerifiedSecuredDocument {
    /// The node that the document is.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` for JSON without contexts, and for none or several nodes.
    func node() throws(LinkedDataError) -> ExpandedNode {
        guard let expanded else {
            throw LinkedDataError(.invalidCredential, "the document has no contexts", path: ["@context"])
        }
        return try ExpandedNode(expanded)
    }
}
