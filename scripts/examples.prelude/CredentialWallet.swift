import CredentialWallet
import CredentialWalletContracts
import CredentialWalletSQLite
import CryptoCore
import Foundation
import MdocWallet
import Testing

let keyFromKeychain: SecretBytes = given()
let path = ""
let copies: [NewMdocCopy] = []
let chosen: [String] = []
// in CredentialStore+Offering.swift
let store: MdocCredentialStore = given()
// in CredentialWalletSQLite.md
let url = URL(filePath: "/var/mobile/wallet.sqlite")
// in CredentialStorageContract.swift
let emptyStorage: any CredentialStorage = given()
