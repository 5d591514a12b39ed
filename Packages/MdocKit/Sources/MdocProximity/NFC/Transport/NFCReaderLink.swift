import MdocKit

/// A reader's connection to a card, as the radio of an app gives it.
///
/// An app implements it over Core NFC's `NFCISO7816Tag` or Android's `IsoDep`; ``NFCReaderMdocTransport`` makes a channel
/// for sessions of it. Commands are sent one after the other; only ``close()`` is called at any time.
public protocol NFCReaderLink: Sendable {
    /// Sends a command APDU and waits for the card's response.
    ///
    /// A wallet answers only after its holder has agreed, so that this may take long.
    ///
    /// - Parameter command: The command as it travels.
    /// - Returns: The response as it travelled, with its status word.
    /// - Throws: Any error where there is no response, as soon as the card is lost or the connection closed.
    func transceive(_ command: [UInt8]) async throws -> [UInt8]

    /// Lets the card go. Closing the connection again does nothing.
    func close() async
}
