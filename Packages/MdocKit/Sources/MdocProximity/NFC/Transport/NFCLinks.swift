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
    /// - Throws: Any error if there is no response, as soon as the card is lost or the connection closed.
    func transceive(_ command: [UInt8]) async throws -> [UInt8]

    /// Lets the card go. Closing the connection again does nothing.
    func close() async
}

/// A wallet's connection to a reader whose card it plays, as the radio of an app gives it.
///
/// An app implements it over Core NFC's `CardSession` or Android's `HostApduService`; ``NFCDeviceMdocTransport`` makes a
/// channel for sessions of it. Where the engagement goes over NFC too, its commands (``NFCEngagementTag``) are answered
/// before.
public protocol NFCDeviceLink: Sendable {
    /// The command APDUs of the reader as they travelled; ends when the reader is gone.
    ///
    /// Each waits for its response, which may come late: the holder has to agree first. It is the same stream whenever it
    /// is asked for.
    var commands: AsyncThrowingStream<[UInt8], any Error> { get }

    /// Sends the response to the last command.
    ///
    /// - Parameter response: The response as it travels, with its status word.
    /// - Throws: Any error if it cannot be sent.
    func respond(_ response: [UInt8]) async throws

    /// Ends the connection, after the last response, and with it ``commands``. Closing it again does nothing.
    func close() async
}
