extension CBORView: CBORDecodable {
    /// The view itself, where a structure keeps an item unread.
    public init(cbor view: CBORView) {
        self = view
    }
}
