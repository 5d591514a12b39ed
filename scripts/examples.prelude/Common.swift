// Names that examples of several layers use. Nothing here runs: the examples are only compiled.

import CredentialTransport
import CryptoCore
import Foundation

/// Stands for a value that an example has from elsewhere.
func given<Value>() -> Value { fatalError("examples are compiled, not run") }

let now = Date()
let bytes: [UInt8] = []
let text = ""
let nonce = ""
let transport: any HTTPStreamingTransport = given()

func use(_ value: some Any) {}
func show(_ value: some Any) {}
